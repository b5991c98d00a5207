/** What a worker says about itself, and since when it takes no new work. */
export const workerProfileColumns: readonly string[] = [
  'alter table workers add column profile text collate "C"',
  'alter table workers add column draining_since text collate "C"',
];
