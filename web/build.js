// Builds dist/report.html: the page with its style and script inside, no other file needed.
// The program puts a result in place of the token <!--ROBERVAL-DATA-->.

import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const here = new URL('.', import.meta.url);
const read = (path) => readFile(new URL(path, here), 'utf8');

const common = { bundle: true, minify: true, write: false, absWorkingDir: new URL('.', here).pathname, charset: 'utf8', legalComments: 'none' };
const script = (await build({ ...common, entryPoints: ['src/main.js'], format: 'iife', target: 'es2022' })).outputFiles[0].text;
const style = (await build({ ...common, entryPoints: ['src/style/page.css'], loader: { '.css': 'css' } })).outputFiles[0].text;

async function notices() {
  const names = ['three', 'uplot'], texts = [];
  for (const name of names) {
    const { version } = JSON.parse(await read(`node_modules/${name}/package.json`));
    texts.push(`${name} ${version}\n\n${(await read(`node_modules/${name}/LICENSE`)).trim()}`);
  }
  return `Notices of libraries in this page:\n\n${texts.join('\n\n')}\n`.replaceAll('--', '- -');
}

const text = await notices();

// A replacer function, since "$&" in the script would be taken for a pattern.
const page = (await read('src/page.html'))
  .replace('/*STYLE*/', () => style.trim())
  .replace('/*SCRIPT*/', () => script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'))
  .replace('NOTICES', () => text);
const out = new URL(process.argv[2] ?? 'dist/report.html', process.argv[2] ? `file://${process.cwd()}/` : here);
await mkdir(new URL('.', out), { recursive: true });
await writeFile(out, page);
if (page.split('<!--ROBERVAL-DATA-->').length !== 2) throw new Error('the token of the data must stand in the page once');
console.log(`${out.pathname}: ${page.length} bytes`);
