import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeFolder } from '../../../src/process/files/home-folder.js';

const ours = join(homedir(), '.local', 'state', 'handraise');

test.each([
  ['what is set', { HANDRAISE_HOME: '/h', XDG_STATE_HOME: '/x', HOME: '/home/me' }, '/h'],
  ['the state folder', { XDG_STATE_HOME: '/x', HOME: '/home/me' }, '/x/handraise'],
  ['the home of the person', { HOME: '/home/me' }, '/home/me/.local/state/handraise'],
  ['the system’s idea of it', {}, ours],
  ['what is set and not empty', { HANDRAISE_HOME: '', XDG_STATE_HOME: '', HOME: '' }, ours],
])('is %s', (_what, env, folder) => {
  expect(homeFolder(env)).toBe(folder);
});
