// The page of `roberval report` of a study.

import { h, show } from './base/dom.js';
import { notice } from './parts/notice.js';
import { carpet } from './study/carpet.js';
import { readStudy } from './study/data.js';
import { head } from './study/head.js';
import { histograms } from './study/histograms.js';
import { quantities } from './study/quantities.js';
import { scatter } from './study/scatter.js';
import { variants } from './study/variants.js';
import { View } from './study/view.js';

const PARTS = [['quantities', 'Quantities', quantities], ['scatter', 'Scatter plots', scatter], ['carpet', 'Carpet plot', carpet], ['histograms', 'Histograms', histograms], ['variants', 'Variants', variants]];

function page(study) {
  const view = new View(study), made = PARTS.map(([id, title, make]) => ({ id, title, content: make(view) })).filter(({ content }) => content);
  const navigation = h('nav', { 'aria-label': 'Parts of the page' }, made.map(({ id, title }) => h('a', { href: '#' + id }, title)));
  const header = head(view, navigation);
  document.title = header.querySelector('h1').textContent;
  show(document.body, notice, header, h('main', { class: 'study' }, made.map(({ id, title, content }) => h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), content))));
  window.roberval = { study, view };   // for tests and the console
}

function empty() {
  show(document.body, h('main', { class: 'empty' }, h('h1', {}, 'Roberval'), h('p', {}, 'This is the empty page of a study. "roberval study STUDY --out DIR" and "roberval report DIR" write it with a study in it.')));
}

const study = readStudy(document);
if (study) page(study);
else empty();
