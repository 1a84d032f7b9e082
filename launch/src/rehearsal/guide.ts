/** The shell commands of the production guide by the word after `sh` at the start of their block: "```sh install". */
export function readGuide(markdown: string): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const [, name = '', commands = ''] of markdown.matchAll(/^```sh ?(\S*)\n(.*?)^```$/gms)) {
    if (name === '' || blocks.has(name)) throw new Error(`a block of commands has no name of its own: ${commands}`);
    blocks.set(name, commands);
  }
  return blocks;
}

/** An example that the guide and the files in deploy/ use, and what replaces it. */
export type Replacement = readonly [example: string, value: string];

/** @throws if an example is left that only an operator can replace */
export function fillIn(text: string, replacements: readonly Replacement[]): string {
  const filled = replacements.reduce((all, [example, value]) => all.replaceAll(example, value), text);
  const left = /\b(PASSWORD|REPOSITORY|VERSION)\b|(?<!ann@)(?<!no-reply@)\b[\w.]*example\.com\b/.exec(filled);
  if (left) throw new Error(`nothing replaces the example ${left[0]}`);
  return filled;
}
