// Files for other viewers as the program writes them (ROBERVAL, default build/checked/roberval), held against Khronos' validator of glTF 2.0.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import validator from 'gltf-validator';

const top = new URL('../../', import.meta.url).pathname;
const program = process.env.ROBERVAL ?? join(top, 'build/checked/roberval');
const skip = existsSync(program) ? false : `there is no ${program}`;

for (const [command, model] of [['inverse', 'press/press'], ['inverse', 'stewart/stewart'], ['inverse', 'planetary/planetary'], ['inverse', 'door/door'], ['inverse', 'valvetrain/valvetrain'],
  ['inverse', 'governor/governor'], ['statics', 'suspension/suspension'], ['simulate', 'gantry/gantry'], ['check', 'bricard/bricard']]) {
  test(`${command} of ${model} is valid glTF`, { skip }, async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'roberval-frames-')), 'motion.gltf');
    execFileSync(program, [command, join(top, 'examples', `${model}.yaml`), '--frames', file, '--quiet'], { cwd: top, stdio: 'ignore' });
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    assert.deepEqual([issues.numErrors, issues.numWarnings], [0, 0], JSON.stringify(issues.messages.slice(0, 5)));
  });
}
