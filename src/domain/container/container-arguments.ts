import type { Container } from '../../protocol/container.js';

/** Where the workspace is, for who looks from inside. */
export const workspaceInside = '/workspace';
/** The home of the agent, on a volume that outlives the container. */
export const homeInside = '/home/agent';
/** The sockets to the runner, and the program that uses them. */
export const linkInside = '/run/handraise';
/** Where the proxy is, for who looks from inside. */
export const proxyPort = 4010;

/** More than any build needs, and an end to a bomb. */
export const mostProcesses = 4096;

// A shell is the first process: it takes in every orphan, which a program that is none of its parents cannot. What it starts
// in the background would have an empty input and no signals.
const firstProcess = [
  `exec 3<&0; node ${linkInside}/inside.js "$@" <&3 3<&- & agent=$!; exec 3<&-`,
  `trap 'kill -TERM $agent' TERM; trap 'kill -INT $agent' INT; trap 'kill -HUP $agent' HUP`,
  'while :; do wait $agent; code=$?; kill -0 $agent 2>/dev/null || exit $code; done',
].join('\n');

export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: boolean;
}

/** What one container is started with. */
export interface ContainerStart {
  readonly container: Container;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Values that everybody may see. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values come from the environment of the engine's client, because an argument list is public. */
  readonly secretEnv: readonly string[];
  readonly user: { readonly uid: number; readonly gid: number };
  readonly workdir: string;
  /** What the program inside joins to the runner: three pipes, a terminal, or pipes and calls to a port of the agent. */
  readonly kind: 'pipe' | 'terminal' | 'server';
  readonly command: readonly string[];
}

/** The arguments with which an engine's client starts it: no network, no rights, no more memory than was given. */
export function containerArguments(start: ContainerStart): string[] {
  const { container, name, user } = start;
  const { memory, cpus, engine = 'docker' } = container;
  return [
    'run',
    '--interactive',
    ...(start.kind === 'terminal' ? ['--tty'] : []),
    '--name',
    name,
    // A name that nobody has built here is nobody's to fetch from a registry.
    '--pull',
    'never',
    '--network',
    'none',
    '--log-driver',
    'none',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--pids-limit',
    String(mostProcesses),
    ...(memory === undefined ? [] : ['--memory', memory, '--memory-swap', memory]),
    ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
    '--user',
    `${user.uid}:${user.gid}`,
    // Without root the engine would show files of the user's as another's.
    ...(engine === 'podman' && user.uid !== 0 ? ['--userns', 'keep-id'] : []),
    ...Object.entries(start.labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]),
    ...start.mounts.flatMap((mount) => ['--volume', volumeOf(mount)]),
    ...Object.entries(start.env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...start.secretEnv.flatMap((variable) => ['--env', variable]),
    '--workdir',
    start.workdir,
    '--entrypoint',
    'sh',
    container.image,
    '-c',
    firstProcess,
    'handraise',
    String(proxyPort),
    start.kind,
    ...start.command,
  ];
}

/** Why a folder cannot be given to a container, or undefined: an engine splits at colons. */
export function whyNoMount(path: string): string | undefined {
  return path.includes(':')
    ? `${path} has a colon in its name, and container engines cannot take such a folder.`
    : undefined;
}

function volumeOf({ from, to, isReadOnly }: Mount): string {
  return `${from}:${to}${isReadOnly ? ':ro' : ''}`;
}

/** A path of the machine as it is seen from inside; what is not in the workspace is not seen. */
export function insidePath(cwd: string, path: string): string {
  if (path === cwd) return workspaceInside;
  return path.startsWith(`${cwd}/`) ? workspaceInside + path.slice(cwd.length) : workspaceInside;
}

/** A path that an agent names from inside, as it is on the machine; other paths stay what they are. */
export function outsidePath(cwd: string, path: string): string {
  if (path === workspaceInside) return cwd;
  return path.startsWith(`${workspaceInside}/`) ? cwd + path.slice(workspaceInside.length) : path;
}
