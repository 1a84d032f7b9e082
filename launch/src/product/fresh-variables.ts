/**
 * Environment variables for a product that runs as a user would start it, with its own home and on free ports. Excludes
 * the test runner's variables and any real service that happens to be configured.
 */
export function freshVariables(home: string): NodeJS.ProcessEnv {
  const theirs =
    /^(VITEST|NODE_ENV$|NODE_OPTIONS$|DATABASE_|TEMPORAL_ADDRESS$|S3_|SMTP_|MAIL_|PUBLIC_URL$|APP_SECRET$|INSTANCE_NAME$|OIDC_|CORS_)/;
  const variables = { ...process.env };
  for (const name of Object.keys(variables)) if (theirs.test(name)) delete variables[name];
  variables.TAPELINE_HOME = home;
  variables.DEMONSTRATION = 'short';
  // Beside tests, which use every core, workers that give way would not get one.
  variables.WORKER_NICENESS = '0';
  for (const port of ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) variables[port] = '0';
  return variables;
}
