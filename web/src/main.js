// The page of `roberval report`.

import { readResults } from './base/data.js';
import { h, show } from './base/dom.js';
import { Session } from './motion/session.js';
import { Player } from './motion/player.js';
import { Picture } from './picture/picture.js';
import { header } from './parts/header.js';
import { toolbar, legend } from './parts/toolbar.js';
import { transport } from './parts/transport.js';
import { things } from './parts/things.js';
import { details } from './parts/details.js';
import { failure } from './parts/failure.js';
import { sections } from './parts/sections.js';
import { keys } from './parts/keys.js';
import { notice } from './parts/notice.js';

function page(results) {
  const session = new Session(results), player = new Player(session), picture = new Picture(session);
  session.store.set({ speed: Player.speedFor(results[0]), follow: session.travels });
  const app = { session, player, picture };
  document.title = results[0].scene.title || results[0].scene.file || 'Roberval';
  const stage = h('section', { class: 'stage', 'aria-label': 'Picture' }, toolbar(app), picture.host, legend(app), transport(app));
  const side = h('aside', { class: 'side', 'aria-label': 'What is selected' }, things(app), details(app));
  const { navigation, parts } = sections(app);
  show(document.body, notice, header(app, navigation), failure(app), h('main', {}, h('div', { class: 'top' }, stage, side), parts));
  picture.start();
  keys(app);
  window.roberval = app;   // for tests and the console
}

function empty() {
  show(document.body, h('main', { class: 'empty' }, h('h1', {}, 'Roberval'),
    h('p', {}, 'This is the empty page. "roberval report MODEL --out page.html" writes it with a result in it.')));
}

const results = readResults(document);
if (results.length) page(results);
else empty();
