// Builds dist/report.html and dist/study.html: pages with their style and script inside, no other file needed.
// The program puts a result, or a study, in place of the token <!--ROBERVAL-DATA-->.
//
//     node build.js [FOLDER]

import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const PAGES = [{ name: 'report', script: 'src/main.js', style: 'src/style/page.css', libraries: ['three', 'uplot'] }, { name: 'study', script: 'src/study.js', style: 'src/style/study.css', libraries: [] }];

const here = new URL('.', import.meta.url);
const read = (path) => readFile(new URL(path, here), 'utf8');
const common = { bundle: true, minify: true, write: false, absWorkingDir: here.pathname, charset: 'utf8', legalComments: 'none' };

async function notices(names) {
  const texts = [];
  for (const name of names) {
    const { version } = JSON.parse(await read(`node_modules/${name}/package.json`));
    texts.push(`${name} ${version}\n\n${(await read(`node_modules/${name}/LICENSE`)).trim()}`);
  }
  return names.length ? `Notices of libraries in this page:\n\n${texts.join('\n\n')}\n`.replaceAll('--', '- -') : 'No library is in this page.\n';
}

async function make({ script, style, libraries }) {
  const { metafile, outputFiles: [{ text: code }] } = await build({ ...common, entryPoints: [script], format: 'iife', target: 'es2022', metafile: true });
  const sheet = (await build({ ...common, entryPoints: [style], loader: { '.css': 'css' } })).outputFiles[0].text, text = await notices(libraries);
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs)).filter(([, { bytesInOutput: bytes }]) => bytes > 0).map(([path]) => /node_modules\/([^/]+)/.exec(path)?.[1]);
  for (const name of used) if (name && !libraries.includes(name)) throw new Error(`${script} holds ${name}, whose notice is missing`);
  // Replacer functions, since "$&" in the script would be taken for a pattern.
  return (await read('src/page.html'))
    .replace('/*STYLE*/', () => sheet.trim())
    .replace('/*SCRIPT*/', () => code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'))
    .replace('NOTICES', () => text);
}

const folder = process.argv[2] ? new URL(`file://${process.argv[2].startsWith('/') ? '' : `${process.cwd()}/`}${process.argv[2]}/`) : new URL('dist/', here);
await mkdir(folder, { recursive: true });
for (const one of PAGES) {
  const page = await make(one), out = new URL(`${one.name}.html`, folder);
  if (page.split('<!--ROBERVAL-DATA-->').length !== 2) throw new Error('the token of the data must stand in the page once');
  await writeFile(out, page);
  console.log(`${out.pathname}: ${page.length} bytes`);
}
