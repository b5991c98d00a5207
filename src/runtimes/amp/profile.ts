// What a worker knows about Amp without starting it.
import { errorSentence } from '../../protocol/error-sentence.js';
import type { RuntimeProfile } from '../runtime.js';
import { ampCapabilities } from './capabilities.js';
import { checkAmpLaunch, findAmp } from './command.js';
import { ampLogin } from './login.js';

/** Amp as it is installed here. */
export const ampProfile: RuntimeProfile = {
  name: 'amp',
  capabilities: ampCapabilities,
  hasFixedModel: true,
  check: checkAmpLaunch,
  installed: ({ env }) => {
    try {
      return { found: true, program: findAmp(env) };
    } catch (error) {
      return { found: false, missing: errorSentence(error) };
    }
  },
  preflight: ampLogin,
  modelUrl: (env) => env['AMP_URL'] || 'https://ampcode.com',
};
