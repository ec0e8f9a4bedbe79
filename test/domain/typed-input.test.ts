import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nothingTyped, typedInto } from '../../src/domain/approval/typed-input.js';

const where = { home: '/home/ann', rouseHome: '/home/ann/.rouse', cwd: '/home/ann/project' };

/** Why each piece asks, when all of them are sent to this program one after the other. */
function typing(command: string, pieces: readonly string[], pty = false) {
  let typed = nothingTyped(command, where, false);
  return pieces.map((piece) => {
    const { why, next } = typedInto(typed, piece, pty, where);
    typed = next;
    return why;
  });
}

const asks = (command: string, pieces: readonly string[], pty = false) =>
  typing(command, pieces, pty).map((why) => why !== undefined);

describe('what reads commands', () => {
  test.each([
    'bash',
    'sh -i',
    'sudo -i',
    'sudo -u bob bash',
    'su - bob',
    'env A=b zsh',
    'cd x && bash',
    'ssh host',
    'docker exec -it web sh',
    'docker run --rm -it ubuntu',
    'kubectl exec -it web -- bash',
    '$SHELL',
    'exec bash -l',
  ])('T15 is a shell: %s', (command) => {
    expect(asks(command, ['"$X"\n'])).toEqual([true]);
  });

  test.each([
    'cat',
    'python3',
    'npm init',
    'bash build.sh',
    `bash -c 'read x'`,
    'psql',
    'git rebase -i',
    'node server.js',
  ])('T15 is no shell: %s', (command) => {
    expect(asks(command, ['"$X"\n', 'y\n', "it's\n"])).toEqual([false, false, false]);
  });
});

describe('input to a shell', () => {
  test.each([
    ['a danger', ['rm -rf /\n']],
    ['a danger without its newline, which the end of the input would run', ['reboot']],
    ['a line in pieces', ['rm -r', 'f ', '/', '\n']],
    ['a word in pieces', ['shut', 'down now\n']],
    ['a quote over lines', ['rm -rf "', '/"\n']],
    ['an earlier cd', ['cd /\n', 'ls\n', 'rm -rf ./*\n']],
    ['a line that another program takes the quote of', ['read x\n', "'\n", 'rm -rf /\n']],
    ['a carriage return for a newline', ['ls\rreboot\r']],
    ['a shell in the shell', ['bash\n', 'rm -rf ~\n']],
    ['the token', ['cat ~/.rouse/token\n']],
    ['Rouse', ['rouse answer ses_1 yes\n']],
    ['what only the shell knows', ['a=$(cat x)\n', '$a\n']],
    ['more than can be read', [`${'cd a; rm x;'.repeat(10_000)}\n`]],
    ['after an interrupted quote', ["echo '", '\x03', 'reboot\n']],
  ])('T15 asks about %s', (_, pieces) => {
    expect(asks('bash', pieces)).toContain(true);
  });

  test('T15 does not ask about ordinary lines, however they come', () => {
    const lines = [
      'cd build && ',
      'rm -rf *\n',
      'for f in *.o; do\n',
      'rm "$f"\n',
      'done\n',
      "echo 'two\nlines'\n",
      '\x03',
      'exit\n',
    ];
    expect(asks('bash', lines)).toEqual(lines.map(() => false));
    expect(asks('bash', ["cat > a.txt <<'EOF'\n", "it's text\n", 'EOF\n', 'npm test 2>&1 | tee log\n'])).not.toContain(
      true,
    );
  });

  test('T15 asks about keys that edit the line', () => {
    expect(asks('bash', ['rm -rf /x\x7f\n'], true)).toEqual([true]);
    expect(asks('bash', ['\x1b[A\n'], true)).toEqual([true]);
    expect(asks('bash', ['ls /ho\t\n'], true)).toEqual([true]);
    expect(asks('bash', ['\x03', '\x04'], true)).toEqual([false, false]);
  });

  test('T15 asks once when what was typed before is not known', () => {
    const before = nothingTyped('bash', where, true);
    const { why, next } = typedInto(before, 'ls\n', false, where);
    expect(why).toContain('restarted');
    expect(typedInto(next, 'ls\n', false, where).why).toBeUndefined();
  });
});

describe('input to an interpreter', () => {
  test('T15 asks about commands and paths that it plainly spells out', () => {
    expect(asks('python3', ['import os\n', "os.system('rm -rf /')\n"])).toEqual([false, true]);
    expect(asks('python3', ["print(open('/home/ann/.rouse/token').read())\n"])).toEqual([true]);
    expect(asks('node', ["require('fs').rmSync('/', {recursive: true})\n"])).toEqual([true]);
    expect(asks('python3', ["print('rm -rf build', 1 < 2)\n", 'for x in (1, 2): print(x)\n'])).toEqual([false, false]);
  });
});

test('T15 judging input never throws', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }), fc.boolean(), (pieces, pty) => {
      expect(typing('bash', pieces, pty)).toHaveLength(pieces.length);
    }),
    { numRuns: 500 },
  );
});
