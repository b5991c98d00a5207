import { randomUUID } from 'node:crypto';
export function runMarker(id: string) {
  return { name: 'HANDRAISE_RUN', value: id };
}
export async function sweepDeadRuns(): Promise<void> {
  randomUUID();
}
