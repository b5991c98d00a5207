import { join } from 'node:path';
import type { Finding } from '../../domain/preflight/finding.js';
import { type AgentSurroundings, hasVariable } from '../agent-surroundings.js';

/** Without a key Amp opens a login page and waits for it for ever (measured), so it is not started. */
export function ampLogin(look: AgentSurroundings): readonly Finding[] {
  const home = look.env['HOME'] ?? '/';
  const data = look.env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
  if (hasVariable(look.env, /^AMP_API_KEY$/)) return [];
  const places = [join(data, 'amp', 'secrets.json'), join(home, '.local', 'share', 'amp', 'secrets.json')];
  if (places.some((place) => look.text(place) !== null)) return [];
  return [
    {
      subject: 'login',
      stops: 'no_permission',
      problem: `Amp is not signed in: AMP_API_KEY is not set, and ${places[0]} is not there.`,
      fix: 'Set AMP_API_KEY and restart the worker, or sign in with "amp login".',
    },
  ];
}
