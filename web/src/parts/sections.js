// What stands below the picture, and the way to it.

import { h } from '../base/dom.js';
import { plots } from '../plots/plots.js';
import { stresses } from './stress.js';
import { freedoms } from './freedoms.js';
import { equilibria, path, modes } from './states.js';
import { audit } from './audit.js';
import { modelText } from './text.js';
import { sizing } from './sizing.js';
import { tables } from './tables.js';

export function sections(app) {
  const all = [['self-stress', 'Self-stress', stresses], ['modes', 'Modes', modes], ['equilibria', 'Equilibria', equilibria], ['path', 'Path', path], ['plots', 'Plots', plots],
    ['sizing', 'Sizing', sizing],    ['virtual-motions', 'Virtual motions', freedoms], ['tables', 'Tables', tables], ['audit', 'Audit and notes', audit], ['model', 'Model', modelText]];
  const made = all.map(([id, title, make]) => ({ id, title, content: make(app) })).filter(({ content }) => content);
  const parts = made.map(({ id, title, content }) => h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), content));
  const navigation = h('nav', { 'aria-label': 'Parts of the page' }, made.map(({ id, title }) => h('a', { href: '#' + id }, title)));
  return { navigation, parts };
}
