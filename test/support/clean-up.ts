/**
 * Ends what tests start. Whatever in this folder opens something says here how to end it, so that no test file has to:
 * what a test opens ends after that test, what a file opens for several tests ends after the last of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRunner } from 'vitest';

type End = () => unknown;

const ofTest: End[] = [];
const ofFile: End[] = [];
let opensForFile = false;

export function onCleanUp(end: End): void {
  const test = TestRunner.getCurrentTest();
  // Tests that run at the same time cannot be told apart here.
  (test && !test.concurrent && !opensForFile ? ofTest : ofFile).push(end);
}

/** What is opened by this ends with the file, although a test opens it. */
export async function forFile<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  opensForFile = true;
  try {
    return await open();
  } finally {
    opensForFile = false;
  }
}

/** The last opened ends first: a host before its home. */
async function endAll(ends: End[]): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end();
}

/** Ends what this test has opened so far. Happens after each test by itself. */
export const cleanUp = (): Promise<void> => endAll(ofTest);

export const cleanUpFile = async (): Promise<void> => {
  await cleanUp();
  await endAll(ofFile);
};

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rouse-test-'));
  // The launcher of a host that was just killed may still be making its FIFOs.
  onCleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 }));
  return folder;
}
