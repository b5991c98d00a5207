import { packageVersion } from '../process/files/package-root.js';
import type { CommandGroups } from './program.js';

const groups: CommandGroups = {
  'Work:': {
    run: async () => (await import('./commands/run.js')).addRun,
    wait: async () => (await import('./commands/wait.js')).addWait,
    cancel: async () => (await import('./commands/cancel.js')).addCancel,
    retry: async () => (await import('./commands/retry.js')).addRetry,
    send: async () => (await import('./commands/send.js')).addSend,
    attach: async () => (await import('./commands/attach.js')).addAttach,
    adopt: async () => (await import('./commands/adopt.js')).addAdopt,
    schedule: async () => (await import('./commands/schedule.js')).addSchedule,
    pipeline: async () => (await import('./commands/pipeline.js')).addPipeline,
    rename: async () => (await import('./commands/rename.js')).addRename,
  },
  'Questions:': {
    inbox: async () => (await import('./commands/inbox.js')).addInbox,
    answer: async () => (await import('./commands/answer.js')).addAnswer,
    approve: async () => (await import('./commands/approve.js')).addApprove,
    deny: async () => (await import('./commands/deny.js')).addDeny,
    withdraw: async () => (await import('./commands/withdraw.js')).addWithdraw,
    snooze: async () => (await import('./commands/snooze.js')).addSnooze,
    rule: async () => (await import('./commands/rule.js')).addRule,
  },
  'Overview:': {
    console: async () => (await import('./commands/console.js')).addConsole,
    ls: async () => (await import('./commands/ls.js')).addLs,
    search: async () => (await import('./commands/search.js')).addSearch,
    show: async () => (await import('./commands/show.js')).addShow,
    logs: async () => (await import('./commands/logs.js')).addLogs,
    status: async () => (await import('./commands/status.js')).addStatus,
    usage: async () => (await import('./commands/usage.js')).addUsageCommand,
    worker: async () => (await import('./commands/worker.js')).addWorker,
    observe: async () => (await import('./commands/observe.js')).addObserve,
  },
  'Review:': {
    diff: async () => (await import('./commands/diff.js')).addDiff,
    comments: async () => (await import('./commands/comments.js')).addComments,
    merge: async () => (await import('./commands/merge.js')).addMerge,
    apply: async () => (await import('./commands/apply.js')).addApply,
    push: async () => (await import('./commands/push.js')).addPush,
    pr: async () => (await import('./commands/pr.js')).addPr,
    'watch-pr': async () => (await import('./commands/watch-pr.js')).addWatchPr,
    discard: async () => (await import('./commands/discard.js')).addDiscard,
  },
  'Cleaning up:': {
    archive: async () => (await import('./commands/archive.js')).addArchive,
    rm: async () => (await import('./commands/rm.js')).addRm,
    prune: async () => (await import('./commands/prune.js')).addPrune,
    export: async () => (await import('./commands/export.js')).addExport,
    import: async () => (await import('./commands/import.js')).addImport,
    backup: async () => (await import('./commands/backup.js')).addBackup,
    migrate: async () => (await import('./commands/migrate.js')).addMigrate,
  },
  'Worker:': {
    up: async () => (await import('./commands/up.js')).addUp,
    open: async () => (await import('./commands/open.js')).addOpen,
    down: async () => (await import('./commands/down.js')).addDown,
    doctor: async () => (await import('./commands/doctor.js')).addDoctor,
    container: async () => (await import('./commands/container.js')).addContainer,
    service: async () => (await import('./commands/service.js')).addService,
    notify: async () => (await import('./commands/notify.js')).addNotify,
    token: async () => (await import('./commands/token.js')).addToken,
    config: async () => (await import('./commands/config.js')).addConfig,
  },
  'Tools:': {
    mcp: async () => (await import('./commands/mcp.js')).addMcp,
    demo: async () => (await import('./commands/demo.js')).addDemo,
    sim: async () => (await import('./commands/sim.js')).addSim,
    completion: async () => (await import('./commands/completion.js')).addCompletion,
  },
};

// Asked for by scripts, and often: nothing else is loaded for it.
if (['-V', '--version'].includes(process.argv[2] ?? '')) process.stdout.write(`${packageVersion()}\n`);
else await (await import('./program.js')).runProgram(groups);
