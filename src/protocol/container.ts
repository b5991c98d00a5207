import * as z from 'zod';

/** The name of an image, with a tag or a digest; nothing that an engine could take for an option. */
export const ImageName = z
  .string()
  .max(255)
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9._:/@-]*$/,
    'must be the name of an image, such as handraise-claude or registry.example/agent:1',
  );

/** An amount of memory as engines write it. */
export const MemoryAmount = z
  .string()
  .regex(/^[1-9]\d{0,5}[mg]$/i, 'must be an amount of memory, such as 512m or 4g');

/** A host that an agent in a container may reach: `name` is its port 443, `*.name` every name below it. */
export const ReachableHost = z
  .string()
  .max(260)
  .regex(
    /^((\*\.)?[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?$/,
    'must be the name of a host, such as registry.npmjs.org or *.example.com:8443',
  );

/** A variable that an agent in a container may have. */
export const ContainerVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be the name of a variable')
  .refine((name) => !name.startsWith('HANDRAISE_'), 'names that begin with HANDRAISE_ are ours');

export const ContainerEngineName = z.enum(['docker', 'podman']);
export type ContainerEngineName = z.infer<typeof ContainerEngineName>;

const shape = {
  image: ImageName,
  engine: ContainerEngineName.optional().describe('Docker unless said otherwise.'),
  memory: MemoryAmount.optional().describe('How much memory all of its processes may have together.'),
  cpus: z.number().positive().max(1024).optional().describe('How many processors it may use.'),
  hosts: z
    .array(ReachableHost)
    .max(200)
    .optional()
    .describe("Hosts that it may reach beside the runtime's own."),
  env: z
    .array(ContainerVariable)
    .max(200)
    .optional()
    .describe('Variables of the worker that it gets by name.'),
};

/** The container that an agent works in. */
export const Container = z.object(shape);
export type Container = z.infer<typeof Container>;

/** What the settings of an installation say about containers, where work does not say otherwise. */
export const UsualContainer = z.object({
  ...shape,
  image: ImageName.optional().describe('The one that is built for the runtime, unless set.'),
  isRule: z.boolean().describe('Whether work is done in a container unless somebody says otherwise.'),
});
export type UsualContainer = z.infer<typeof UsualContainer>;

/** The same, as a request may have it. */
export const ContainerRequest = z.strictObject(shape);
