import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = ['/crash/', '/browser/'];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((folder) => moduleId.includes(folder));
  return place < 0 ? LONG.length : place;
};

/** A long file that begins last keeps one worker waiting: the longest come first, also where no run is remembered. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  // The page names the library as its users do.
  resolve: { alias: { rouse: fileURLToPath(new URL('src', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/whole-run.ts'],
    setupFiles: ['test/support/every-file.ts'],
    // One file leaves nothing to the next (see test/support/clean-up.ts), so workers and their modules are kept.
    isolate: false,
    // One more than two cores: some files mostly wait, up to 20 s for a reader that does not read or a keeper that is gone.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
