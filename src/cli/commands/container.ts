import { type Command, InvalidArgumentError, Option } from 'commander';
import { ownImage } from '../../domain/container/own-image.js';
import { ContainerEngineName } from '../../protocol/container.js';
import { given } from '../../protocol/given.js';
import { buildImage } from '../container/build-image.js';
import { containerfile, type RecipeName, recipeNames } from '../container/image-recipe.js';

import { writeJson, writeLine, writeMessage } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';

interface BuildOptions {
  readonly base?: string;
  readonly image?: string;
  readonly engine?: ContainerEngineName;
  readonly agentVersion?: string;
  readonly print?: true;
  readonly json?: true;
}

/** `handraise container`: the images in which agents work. */
export function addContainer(program: Command): void {
  const container = program
    .command('container')
    .summary('build images for agents in containers')
    .description(
      'Builds the images in which agents work with --container. An agent in a container has its workspace, its own ' +
        'home and its model, and nothing else of this machine (docs/containers.md).',
    )
    .addHelpText('after', examples);

  container
    .command('build')
    .description('Builds the image of a runtime, with Docker or Podman.')
    .argument('[runtime]', `which agent: ${recipeNames.join(', ')}`, toRecipe, 'claude')
    .option('--base <image>', 'image to start from; it must have node (default: node:22-slim)')
    .option('--image <name>', 'name of the image (default: handraise-RUNTIME)')
    .option('--agent-version <version>', 'version of the agent')
    .addOption(new Option('--engine <name>', 'what builds it').choices(ContainerEngineName.options))
    .option('--print', 'print the recipe and build nothing')
    .option('--json', 'print the name of the image as JSON')
    .addHelpText('after', examples)
    .action(build);
}

const examples =
  '\nExamples:\n  $ handraise container build\n  $ handraise container build codex --base debian-with-node:13\n' +
  '  $ handraise container build exec --print > Containerfile\n';

async function build(runtime: RecipeName, options: BuildOptions): Promise<void> {
  if (options.print) {
    process.stdout.write(containerfile(runtime));
    return;
  }
  const { values } = effectiveSettings({ env: process.env, folder: '.', flags: {} });
  const engine = options.engine ?? values.containerEngine;
  const { base, agentVersion: version, image = ownImage(runtime) } = options;
  await buildImage({ runtime, engine, image, ...given({ base, version }) });
  if (options.json) writeJson({ image, engine, runtime });
  else writeLine(image);
  writeMessage(`To use it: handraise run "…" --container${image === ownImage(runtime) ? '' : `=${image}`}`);
}

function toRecipe(text: string): RecipeName {
  const name = recipeNames.find((each) => each === text);
  if (name === undefined)
    throw new InvalidArgumentError(
      `There is a recipe for ${recipeNames.join(', ')}. For another agent start from exec.`,
    );
  return name;
}
