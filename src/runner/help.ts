/** What `handraise-runner --help` prints. */
export const helpText = `Usage: handraise-runner [options]

Hosts one conversation with one agent. Write one JSON command per line to stdin, read one JSON event per line
from stdout. See docs/runner-protocol.md.

  --cwd DIR                    working directory (default: the current one)
  --conversation-id ID         your name for the conversation (default: "default")
  --runtime NAME               claude (default), codex, opencode, amp, exec, acp:NAME, npm:NAME
  --command TEXT               exec: the command line; {prompt} is replaced by the message; if it is missing, the message is passed on stdin
                               acp:NAME: the command line that starts the agent
                               npm:NAME: the package of the adapter, or its folder
  --resume SESSION             continue a session of the runtime
  --fork                       work on a copy of the resumed session
  --model NAME                 model to use
  --fallback-model NAME        model to use while the first one is overloaded
  --permission-mode MODE       bypassPermissions (default), default, acceptEdits, plan, dontAsk
  --tool-preset PRESET         full (default), read-only, no-bash, safe-edit
  --setting-sources LIST       comma-separated: project, user, local (default: all three)
  --no-project-code            ignore project files that can start programs; pass CLAUDE.md or AGENTS.md as text
  --project-code-file FILE     ignore these project files, and load this code instead: {"files": [{"path", "text"}]}
  --mcp-servers-file FILE      more MCP servers, as JSON
  --instructions-file FILE     text to append to the system prompt
  --structured-output SCHEMA   JSON Schema that the answer must match
  --enable-checkpointing       keep file checkpoints that rewind_files can restore
  --max-budget-usd N, --max-turns N, --max-thinking-tokens N
  --memory-limit BYTES         memory of the agent and all that it starts; needs a control group (Linux)
  --observable-idle SECONDS    with exec: guess from the command's output what it does; silent this long means idle
  --betas LIST                 beta flags for the model's server
  --linear-issue ID            issue such as LIN-123
  --target-branch NAME         base branch for pull requests
  --sdk-debug, --sdk-debug-file FILE
  --compat chatml              serve clients of the older ChatML runner; or set HANDRAISE_COMPAT=chatml
  --socket PATH, --spool DIR   detached: the same lines on a Unix socket, journalled in DIR first
  --spare                      with --socket: load everything and wait for a launch frame
  --park                       with --spare: keep an agent ready for a launch like this one
  --secret-file FILE           detached: what a worker must know to attach; the file is removed once it is read
  --epoch N                    detached: no worker older than this one may attach (default: 0)
  --orphan-limit SECONDS       detached: shut down when no worker was attached for this long (default: 72 hours)
  --run-until MILLISECONDS     detached: stop the agent this long after the machine's start, unless the worker says later
  --idle-limit SECONDS         detached: shut down when no worker was attached for this long and there is nothing to do (default: 15 minutes)
  --help, --version

Example:
  echo '{"type":"message","content":"List the files here."}' | handraise-runner --permission-mode plan
`;
