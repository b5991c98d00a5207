import type { UsualContainer } from '../../protocol/container.js';
import { given } from '../../protocol/given.js';
import type { Settings } from './settings.js';

/** What the settings say about containers. */
export function containerSettings(settings: Settings): UsualContainer {
  const { containerHosts: hosts, containerEnv: env } = settings;
  return {
    isRule: settings.container,
    engine: settings.containerEngine,
    memory: settings.containerMemory,
    ...given({ image: settings.containerImage, cpus: settings.containerCpus }),
    ...(hosts.length > 0 && { hosts }),
    ...(env.length > 0 && { env }),
  };
}
