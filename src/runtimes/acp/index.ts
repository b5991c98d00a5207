import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { acpCapabilities } from './capabilities.js';
import { checkAcpLaunch } from './command.js';
import { AcpSession } from './session.js';
import { speaksOfAcpLogin } from './turn-error.js';

/** Any agent that speaks ACP, by the name that it has behind `acp:`. */
export function acpRuntime(name: string): Runtime {
  return {
    name: `acp:${name}`,
    capabilities: acpCapabilities(name),
    needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
    speaksOfLogin: speaksOfAcpLogin,
    check: (launch) => checkAcpLaunch(name, launch),
    open: (launch, host) =>
      new AcpSession(name, launch, { host, sentinel: join(launch.cwd, needsInputPath) }),
  };
}
