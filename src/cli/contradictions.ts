import type { Command } from 'commander';
import { Failure } from '../protocol/failure.js';

/** Refuses an option together with its opposite, such as `--budget` and `--no-budget`; the parser silently takes the last one. */
export function refuseContradictions(command: Command): void {
  for (const { long } of command.options.filter((option) => option.negate)) {
    const opposite = command.options.find((option) => `--no-${option.name()}` === long);
    if (long === undefined || opposite === undefined) continue;
    const given = new Set<string>();
    for (const { name } of [{ name: opposite.name() }, { name: long.slice('--'.length) }])
      command.on(`option:${name}`, () => {
        given.add(name);
        if (given.size > 1)
          throw new Failure('usage', `--${opposite.name()} and ${long} exclude each other. Use one of them.`);
      });
  }
  for (const each of command.commands) refuseContradictions(each);
}
