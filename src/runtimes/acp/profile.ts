// What a worker knows about agents that speak ACP without starting one.
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { AcpAgentSettings } from '../../protocol/posture.js';
import { npmVersion } from '../npm-version.js';
import { refusedProject } from '../refused-project.js';
import type { EndedSessionPlace, RuntimeProfile } from '../runtime.js';
import { acpAgent, testedAgents } from './agents.js';
import { acpCapabilities } from './capabilities.js';
import { checkAcpLaunch, expectOnlyApproved, findAgent } from './command.js';
import { acpLogin } from './login.js';

/** The agents of the user's settings, and those that need no entry in them. */
export function acpProfiles(agents: Readonly<Record<string, AcpAgentSettings>>): RuntimeProfile[] {
  const names = new Set([...Object.keys(testedAgents), ...Object.keys(agents)]);
  return [...names].map((name) => acpProfile(name, agents[name]));
}

function acpProfile(name: string, settings: AcpAgentSettings | undefined): RuntimeProfile {
  const agent = acpAgent(name);
  const command = settings?.command ?? agent.command;
  const resume = settings?.resumes ?? agent.resumes;
  const isAllowed = agent.isGuarded || settings?.loadsProjectCode === true;
  return {
    name: `acp:${name}`,
    capabilities: { ...acpCapabilities(name), resume },
    ...given({ command }),
    check: (launch) => {
      if (!isAllowed) throw new Failure('config', unguardedSentence(name, command));
      checkAcpLaunch(name, { ...launch, ...given({ command }) });
    },
    installed: ({ env }) => {
      try {
        const program = findAgent(name, { env, ...given({ command }) });
        // A command line of the user's may begin with anything, such as npx, which has another version than the agent.
        const isOwn = command !== agent.command;
        return isOwn ? { found: true } : { found: true, program, ...given({ version: npmVersion(program) }) };
      } catch (error) {
        return { found: false, missing: errorSentence(error) };
      }
    },
    preflight: (launch) => [
      ...acpLogin(name, launch),
      ...refusedProject(launch, (place) => expectOnlyApproved(name, place)),
    ],
    // What starts an agent is loaded when one is to be started.
    ...(resume
      ? {
          savedSession: async (place: EndedSessionPlace) =>
            await (await import('./saved-session.js')).readAcpSession(name, { ...place, command }),
        }
      : {}),
  };
}

function unguardedSentence(name: string, command: string | undefined): string {
  const entry = JSON.stringify({ [name]: { command: command ?? `${name} --acp`, loadsProjectCode: true } });
  return `Nothing can keep acp:${name} from loading code of the project that it works in, such as settings, hooks and servers. If you accept that, say so in acpAgents of your settings: ${entry}.`;
}
