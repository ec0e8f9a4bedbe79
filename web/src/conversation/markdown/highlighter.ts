/** The languages with highlighting. A separate file, loaded when there is code. */
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const languages = { bash, css, diff, go, javascript, json, python, rust, sql, typescript, xml, yaml };
const lowlight = createLowlight(languages);
lowlight.registerAlias({ bash: ['console', 'shell'] });

export type Coloured = ReturnType<typeof lowlight.highlight>['children'][number];
export type Highlighter = (code: string, language: string) => readonly Coloured[] | undefined;

export const highlight: Highlighter = (code, language) =>
  lowlight.registered(language) ? lowlight.highlight(language, code).children : undefined;
