import { Argument, type Command } from 'commander';
import { candidatesFor } from '../completion-candidates.js';
import { bashScript, fishScript, zshScript } from '../completion-scripts.js';
import { writeLine } from '../output.js';

/** `handraise completion`: what makes a shell complete commands, options and the ids of live things. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a shell completion script')
    .description(
      'Prints a script that completes commands, options and the ids of current threads, dispatches and questions.',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action((shell: 'bash' | 'zsh' | 'fish') => writeLine(scripts[shell]));

  program
    .command('__complete', { hidden: true })
    .description('Prints the candidates for the last word, one per line: word, tab, what it is.')
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      for (const { word, about } of await candidatesFor(program, words)) writeLine(`${word}\t${about}`);
    });
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

const examples = `
Examples:
  $ source <(handraise completion bash)                                       # bash, this session
  $ handraise completion zsh > "\${fpath[1]}/_handraise"                        # zsh, permanently
  $ handraise completion fish > ~/.config/fish/completions/handraise.fish     # fish, permanently
`;
