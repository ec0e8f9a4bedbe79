/** A reporter of vitest for `npm test`: counts the tests and writes the counts, with the time of each file, to TEST_REPORT. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class TestReport {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { passed: 0, failed: unhandledErrors.length, skipped: 0, repeated: [], files: [] };
    for (const module of modules) {
      const { prepareDuration, collectDuration, duration } = module.diagnostic();
      const name = relative(process.cwd(), module.moduleId);
      report.files.push({ name, ms: prepareDuration + collectDuration + duration });
      // A file that cannot be loaded has no tests to count.
      report.failed += module.errors().length;
      for (const test of module.children.allTests()) count(test, report);
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

/** A test that passes only when it is repeated has failed. */
function count(test, report) {
  const isRepeated = test.diagnostic()?.retryCount > 0;
  const { state } = test.result();
  if (isRepeated) report.repeated.push(test.fullName);
  if (state === 'skipped' || state === 'pending') report.skipped++;
  else if (state === 'passed' && !isRepeated) report.passed++;
  else report.failed++;
}
