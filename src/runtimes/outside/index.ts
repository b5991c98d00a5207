import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure, type FailureCode, failureTable } from '../../protocol/failure.js';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { RuntimeName } from '../../protocol/posture.js';
import type { Launch, OutsideAdapter, Runtime } from '../runtime.js';
import { readOutsideManifest } from './manifest.js';
import { lendOwnPackage } from './own-package.js';

/** Loads the adapter of a package: what it declares comes from its package.json, what it does from its module. */
export async function outsideRuntime(name: RuntimeName, folder: string): Promise<Runtime> {
  const { entry, capabilities } = readOutsideManifest(folder);
  const adapter = await load(name, entry);
  return {
    name,
    capabilities,
    needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
    speaksOfLogin: (text) => adapter.speaksOfLogin?.(text) ?? false,
    check: (launch) => check(adapter, launch),
    open: (launch, host) => adapter.open(launch, host),
  };
}

async function load(name: RuntimeName, entry: string): Promise<OutsideAdapter> {
  let module: unknown;
  lendOwnPackage();
  try {
    module = await import(pathToFileURL(entry).href);
  } catch (error) {
    throw new Failure('config', `The runtime ${name} cannot be loaded: ${errorSentence(error)}`, {
      cause: error,
    });
  }
  const { runtime } = { runtime: undefined, ...asObject(module) };
  if (isAdapter(runtime)) return runtime;
  throw new Failure(
    'config',
    `${entry} must export "runtime", an object with the method open. See docs/writing-an-adapter.md.`,
  );
}

function isAdapter(value: unknown): value is OutsideAdapter {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function';
}

/** The package has a copy of Failure of its own, so that one of its is known by its code. */
function check(adapter: OutsideAdapter, launch: Launch): void {
  try {
    adapter.check?.(launch);
  } catch (error) {
    const { code } = { code: undefined, ...asObject(error) };
    throw new Failure(isCode(code) ? code : 'config', errorSentence(error), { cause: error });
  }
}

function isCode(value: unknown): value is FailureCode {
  return typeof value === 'string' && Object.hasOwn(failureTable, value);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
