/** Moments at which a test may kill the worker. */
export type Failpoint =
  | 'received'
  | 'committed'
  | 'acknowledged'
  | 'spawned'
  | 'signalled'
  | 'landing_asked'
  | 'landing_planned'
  | 'landing_files_moved'
  | 'landing_branch_moved'
  | 'landing_work_saved'
  | 'landing_pushed'
  | 'landing_requested'
  | 'watch_telling'
  | 'watch_told'
  | 'removal_worktree_gone'
  | 'removal_start_forgotten';
