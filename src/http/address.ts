/** The names and origins by which this host is reached, and the cookie that a browser keeps for it. */
import { DAY_MS, SIGNED_IN_DAYS } from '../domain/people/sign-in.js';

export type AddressSettings = {
  /** The name that the host listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export class Address {
  constructor(
    readonly settings: AddressSettings,
    /** Known once the host listens. */
    readonly port: () => number,
  ) {}

  /** `name` as it stands in a Host header. */
  answersTo(name: string): boolean {
    return this.#names.includes(name.toLowerCase());
  }

  isOwn(origin: string): boolean {
    const { allowedHosts, allowedOrigins } = this.settings;
    return (
      this.#names.some((name) => origin === `http://${name}`) ||
      allowedHosts.some((name) => origin === `https://${name}`) ||
      allowedOrigins.includes(origin)
    );
  }

  /** Where the caller reaches this host. A name from `allowedHosts` is that of a proxy, which speaks TLS. */
  seenBy({ host, origin }: { readonly host: string; readonly origin: string | undefined }): string {
    return origin ?? `${this.settings.allowedHosts.includes(host.toLowerCase()) ? 'https' : 'http'}://${host}`;
  }

  /** One half of the credential of a signed-in browser. */
  cookie(secret: string, secure: boolean): string {
    return this.#cookie(secret, (SIGNED_IN_DAYS * DAY_MS) / 1_000, secure);
  }

  get noCookie(): string {
    return this.#cookie('', 0, false);
  }

  /** The secret in a Cookie header, if it holds this host's cookie. */
  secretIn(header: string | undefined): string | undefined {
    const beginning = `${this.#cookieName}=`;
    const pairs = (header ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(beginning))?.slice(beginning.length);
  }

  #cookie(value: string, seconds: number, secure: boolean): string {
    return `${this.#cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }

  /** With the port: all ports of an address share their cookies. */
  get #cookieName(): string {
    return `rouse-${this.port()}`;
  }

  get #names(): readonly string[] {
    const { host, allowedHosts } = this.settings;
    return [...[...LOOPBACK, host.toLowerCase()].map((name) => `${name}:${this.port()}`), ...allowedHosts];
  }
}
