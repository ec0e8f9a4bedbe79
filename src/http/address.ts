/** The names and origins by which we are reached. */
export type AddressSettings = {
  /** The name we listen by. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export class Address {
  constructor(
    readonly settings: AddressSettings,
    /** The port we listen on, which is known once we do. */
    readonly port: () => number,
  ) {}

  /** As they stand in the Host header. */
  answersTo(host: string): boolean {
    return this.#names.includes(host.toLowerCase());
  }

  isOwn(origin: string): boolean {
    const { allowedHosts, allowedOrigins } = this.settings;
    return (
      this.#names.some((name) => origin === `http://${name}`) ||
      allowedHosts.some((name) => origin === `https://${name}`) ||
      allowedOrigins.includes(origin)
    );
  }

  /** Where whoever asks reaches us. Other names than our own are those of a proxy, which speaks TLS. */
  seenBy({ host, origin }: { readonly host: string; readonly origin: string | undefined }): string {
    return origin ?? `${this.settings.allowedHosts.includes(host.toLowerCase()) ? 'https' : 'http'}://${host}`;
  }

  get #names(): readonly string[] {
    const { host, allowedHosts } = this.settings;
    return [...[...LOOPBACK, host.toLowerCase()].map((name) => `${name}:${this.port()}`), ...allowedHosts];
  }
}
