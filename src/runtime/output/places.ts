import type { Place } from '../../ports/place.js';

/** The places that are configured, by name. */
export class Places {
  readonly #byName: ReadonlyMap<string, Place>;

  constructor(readonly all: readonly Place[]) {
    this.#byName = new Map(all.map((place) => [place.name, place]));
  }

  find(name: string): Place | undefined {
    return this.#byName.get(name);
  }

  /** For the place of a process that is remembered, which must be there. */
  of(record: { readonly id: string; readonly place: string }): Place {
    const place = this.#byName.get(record.place);
    if (!place)
      throw new Error(`Process ${record.id} is remembered in the place "${record.place}", which is not configured.`);
    return place;
  }
}
