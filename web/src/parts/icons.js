// Signs on buttons, drawn here so that no font must have them.

import { s } from '../base/dom.js';

const PATHS = {
  play: 'M3 1.5L13 8L3 14.5Z',
  pause: 'M3 2H6.5V14H3ZM9.5 2H13V14H9.5Z',
  first: 'M2 2H4V14H2ZM14 2V14L5 8Z',
  back: 'M11 2V14L3.5 8Z',
  on: 'M5 2V14L12.5 8Z',
};

export const icon = (name) => s('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
