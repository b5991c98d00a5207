/** What `handraise-runner --help` prints. */
export const helpText = `Usage: handraise-runner [options]

Hosts one conversation with one agent. Write one JSON command per line to stdin, read one JSON event per line
from stdout. See docs/runner-protocol.md.

  --cwd DIR                    working directory (default: the current one)
  --conversation-id ID         identifier used for tracking (default: "default")
  --runtime NAME               claude (default), codex, exec
  --command TEXT               exec: the program and its arguments; {prompt} is the message, which else comes on stdin
  --resume SESSION             resume a session of the runtime
  --fork                       fork the resumed session
  --model NAME                 model to use
  --fallback-model NAME        model to use while the first is overloaded
  --permission-mode MODE       bypassPermissions (default), default, acceptEdits, plan, dontAsk
  --tool-preset PRESET         full (default), read-only, no-bash, safe-edit
  --setting-sources LIST       of project, user, local (default: all three)
  --no-project-code            ignore the project's .mcp.json, .claude/settings*.json and .codex/
  --mcp-servers-file FILE      more MCP servers, as JSON
  --instructions-file FILE     text that is appended to the system prompt
  --structured-output SCHEMA   JSON schema of the answer
  --enable-checkpointing       file checkpoints that rewind_files can go back to
  --max-budget-usd N, --max-turns N, --max-thinking-tokens N
  --betas LIST                 beta flags
  --linear-issue ID            issue such as LIN-123
  --target-branch NAME         base branch for pull requests
  --sdk-debug, --sdk-debug-file FILE
  --socket PATH, --spool DIR   detached: the same lines on a Unix socket, journalled first
  --spare                      with --socket: load everything and wait for a launch frame
  --orphan-limit SECONDS       detached: shut down when nobody attached for so long (default: 72 hours)
  --help, --version

Example:
  echo '{"type":"message","content":"List the files here."}' | handraise-runner --permission-mode plan
`;
