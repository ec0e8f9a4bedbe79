import './live/checks';
import './look/tokens.css';
import './look/base.css';
import { render } from 'preact';
import { App } from './frame/app';
import { startPage } from './frame/start';

const page = document.getElementById('page');
if (page) render(<App />, page);
startPage();
