/** A person with a real browser before a real host. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { onCleanUp } from './clean-up.js';
import { Front } from './front.js';
import { newHome, startHost, type HostOptions, type TestHost } from './host.js';
import { Talk } from './talk.js';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function launch(): Promise<Browser> {
  const executablePath = PROGRAMS.find(existsSync);
  if (!executablePath) throw new Error('The tests of the page need Chromium: npm test installs it.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  onCleanUp(() => browser.close());
  return browser;
}

/** A host behind a front, and browsers that have signed in to it. */
export class Stage {
  readonly #contexts: BrowserContext[] = [];

  private constructor(
    readonly browser: Browser,
    readonly front: Front,
    public host: TestHost,
  ) {}

  static async set(browser: Browser, { config = {}, ...options }: HostOptions = {}): Promise<Stage> {
    const front = await Front.open();
    const home = options.home ?? newHome();
    // The cookie is named by the port, so it stays the same over a restart, as a user's does.
    const env = { ...options.env, ROUSE_PORT: String(await quietPort()) };
    const host = await startHost({ ...options, env, home, config: { ...config, allowedHosts: [front.name] } });
    front.leadTo(host.url);
    const stage = new Stage(browser, front, host);
    onCleanUp(() => stage.strike());
    return stage;
  }

  get url(): string {
    return `http://${this.front.name}`;
  }

  /** A browser of its own, signed in by a link, with one tab. */
  async person(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    this.#contexts.push(context);
    const page = await context.newPage();
    await page.goto(await this.signInLink());
    await upToDate(page);
    return page;
  }

  /** As the host prints it, at the address of the front. */
  async signInLink(): Promise<string> {
    const { url } = await this.host.client.signInLink();
    return url.replace(this.host.url, this.url);
  }

  async session(title: string): Promise<Talk> {
    return Talk.begin(this.host, { title });
  }

  async look(page: Page, { id }: { readonly id: string }): Promise<void> {
    await page.goto(`${this.url}/#/sessions/${id}`);
    await upToDate(page);
  }

  /** Killed, and another one in its place, behind the same front. */
  async crash(options: HostOptions = {}): Promise<void> {
    await this.host.kill();
    await this.again(options);
  }

  async again(options: HostOptions = {}): Promise<void> {
    const ROUSE_PORT = new URL(this.host.url).port;
    this.host = await this.host.again({ ...options, env: { ...options.env, ROUSE_PORT } });
    this.front.leadTo(this.host.url);
  }

  async strike(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.front.close();
    await this.host.kill();
  }
}

/** Below those that the kernel gives to whoever asks for any: nobody takes it between two hosts. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((closed) => server.close(closed));
    if (free) return port;
  }
}

export const upToDate = (page: Page): Promise<void> => page.getByText('up to date').waitFor({ timeout: 60_000 });
