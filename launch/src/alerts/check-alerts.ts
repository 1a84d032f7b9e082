import { execFileSync } from 'node:child_process';
import { findDebianProgram, PROMTOOL } from '../finding/debian-programs.ts';
import { RULES_FILE, RULES_TEST_FILES } from './alert-files.ts';

/** Lets promtool check the alerts and run their tests: `npm run alerts`. Downloads it once if it is not installed. */
const promtool = await findDebianProgram(PROMTOOL, process.env, (line) => console.log(line));
execFileSync(promtool, ['check', 'rules', RULES_FILE], { stdio: 'inherit' });
execFileSync(promtool, ['test', 'rules', ...RULES_TEST_FILES], { stdio: 'inherit' });
