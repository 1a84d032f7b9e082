import { readEnvironment, SettingsError } from '@tapeline/db/environment.ts';
import { type Depth, examine, type Finding } from './examine.ts';

/** What is wrong with the settings, or else with the services that they name, as lines. Nothing throws. */
export async function report(
  variables: Readonly<Record<string, string | undefined>>,
  depth: Depth = { isDeep: false },
): Promise<{ lines: string[]; isWell: boolean }> {
  const found = await findingsOf(variables, depth).catch((error: unknown): Finding[] => [
    {
      subject: 'Doctor',
      problems: [`The examination itself failed: ${error instanceof Error ? error.message : error}`],
      notes: [],
    },
  ]);
  const lines = found.flatMap(({ subject, problems, notes }) => [
    ...(problems.length === 0 ? [`ok     ${subject}`] : []),
    ...problems.map((problem) => `WRONG  ${subject}: ${problem}`),
    ...notes.map((note) => `note   ${subject}: ${note}`),
  ]);
  const count = found.reduce((sum, { problems }) => sum + problems.length, 0);
  const summary = count === 0 ? 'Everything is well.' : `${count} ${count === 1 ? 'problem' : 'problems'} found.`;
  return { lines: [...lines, '', summary], isWell: count === 0 };
}

async function findingsOf(variables: Readonly<Record<string, string | undefined>>, depth: Depth): Promise<Finding[]> {
  try {
    const environment = readEnvironment(variables);
    return [{ subject: 'Settings', problems: [], notes: [] }, ...(await examine(environment, depth))];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.problems.map(([name, message]) => `${name} ${message}.`);
    return [{ subject: 'Settings', problems, notes: ['The services are examined once the settings are correct.'] }];
  }
}
