// What a worker knows about Amp without starting it.
import { errorSentence } from '../../protocol/error-sentence.js';
import type { RuntimeProfile } from '../runtime.js';
import { ampCapabilities } from './capabilities.js';
import { checkAmpLaunch, findAmp } from './command.js';

/** Amp as it is installed here; its version shows only when it runs. */
export const ampProfile: RuntimeProfile = {
  name: 'amp',
  capabilities: ampCapabilities,
  check: checkAmpLaunch,
  installed: ({ env }) => {
    try {
      findAmp(env);
      return { found: true };
    } catch (error) {
      return { found: false, missing: errorSentence(error) };
    }
  },
};
