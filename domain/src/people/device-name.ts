const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const firstIn = (agent: string, names: readonly (readonly [string, string])[]) =>
  names.find(([mark]) => agent.includes(mark))?.[1];

/** Describes a browser's user agent in words: "Chrome on Linux". For other programs, returns their own first word. */
export function nameAgent(agent: string | null | undefined): string {
  if (!agent) return 'Unknown browser';
  const browser = firstIn(agent, BROWSERS);
  const system = firstIn(agent, SYSTEMS);
  if (!browser) return agent.split(/[/\s]/)[0] || 'Unknown browser';
  return system ? `${browser} on ${system}` : browser;
}
