import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** What a benchmark ran on, and how busy that was. */
export function machine() {
  return {
    node: process.version,
    sdk: String(dependencies['@anthropic-ai/claude-agent-sdk']),
    platform: `${process.platform} ${process.arch}`,
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    load: loadavg().map((each) => Number(each.toFixed(2))),
  };
}

/** That as a line above a table. @param {ReturnType<typeof machine>} on */
export function machineLine({ node, sdk, platform, cpu, load }) {
  return `Node ${node}, Claude Agent SDK ${sdk}, ${platform}, ${cpu}, load ${load.join(' ')}`;
}
