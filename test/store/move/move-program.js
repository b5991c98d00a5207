// Moves a store in a process of its own, as the command does: a file stays locked until the process that had it has ended.
import { moveStore } from '../../../dist/store/move/move-store.js';

const [from = '', to = ''] = process.argv.slice(2);
try {
  process.stdout.write(JSON.stringify({ counts: await moveStore({ from, to }) }));
} catch (error) {
  const { code, message } = Object(error);
  process.stdout.write(JSON.stringify({ code, message }));
}
process.exit();
