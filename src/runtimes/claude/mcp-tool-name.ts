/** The name under which Claude Code offers a tool of an MCP server; it takes only some characters of a server's name. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server.replace(/[^a-zA-Z0-9_-]/g, '_')}__${tool}`;
}
