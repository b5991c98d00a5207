import { isAbsolute, join, normalize } from 'node:path';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { commandDefinitions } from '../../protocol/command.js';
import { Failure } from '../../protocol/failure.js';
import { keysOf } from '../../protocol/keys.js';
import { PermissionMode, ToolPreset } from '../../protocol/posture.js';
import type { Capabilities } from '../runtime.js';

const mostBytes = 256 * 1024;

/** What an adapter declares; what is left out it cannot do. */
const DeclaredCapabilities = z.strictObject({
  commands: z.array(z.enum(keysOf(commandDefinitions))).default([]),
  permissionModes: z.array(PermissionMode).min(1),
  toolPresets: z.array(ToolPreset).default(['full']),
  limits: z.array(z.enum(['maxBudgetUsd', 'maxTurns', 'maxThinkingTokens'])).default([]),
  resume: z.boolean().default(false),
  fork: z.boolean().default(false),
  questions: z.boolean().default(false),
  approvals: z.boolean().default(false),
  plans: z.boolean().default(false),
  editedInput: z.boolean().default(false),
  denyWithMessage: z.boolean().default(false),
  checkpoints: z.boolean().default(false),
  structuredOutput: z.boolean().default(false),
  defers: z.array(z.enum(['question', 'plan', 'permission'])).default([]),
});

const Manifest = z.looseObject({
  version: z.string().max(100).optional(),
  handraise: z.strictObject({
    /** The module that has the adapter, inside of the package. */
    runtime: z
      .string()
      .min(1)
      .refine((path) => !isAbsolute(path) && !normalize(path).startsWith('..'), 'must lie in the package'),
    capabilities: DeclaredCapabilities,
  }),
});

/** An adapter in a package of its own, as far as the package says it without being loaded. */
export interface OutsideManifest {
  readonly version: string | undefined;
  readonly entry: string;
  readonly capabilities: Capabilities;
}

/** Reads what the package in this folder declares; a Failure says what is wrong with it. */
export function readOutsideManifest(folder: string): OutsideManifest {
  const file = join(folder, 'package.json');
  const read = readBoundedFile(file, { limit: mostBytes, followLink: true });
  if (!read.ok) throw new Failure('config', `${file} cannot be read, so there is no runtime.`);
  const manifest = Manifest.safeParse(parsed(read.text));
  if (!manifest.success) {
    const [issue] = manifest.error.issues;
    throw new Failure(
      'config',
      `${file} declares no runtime for Handraise: ${issue?.path.join('.')}: ${issue?.message}. See docs/writing-an-adapter.md.`,
    );
  }
  const { version, handraise } = manifest.data;
  return { version, entry: join(folder, handraise.runtime), capabilities: handraise.capabilities };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
