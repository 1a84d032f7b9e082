import { join } from 'node:path';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Home, Secrets } from '../home/home.ts';
import { asSuperuser, type Cluster, connectionUrl } from '../postgres/cluster.ts';

const DATABASE = 'tapeline';
/** Owns the tables and migrates them. */
const OWNER = 'tapeline_owner';
/** The program's role. It is neither owner nor superuser, so row-level security always applies to it. */
const APP = 'tapeline_app';

export interface DatabaseAddresses {
  url: string;
  adminUrl: string;
}

export function clusterOf(home: Home, secrets: Secrets, port: number): Cluster {
  return { dataFolder: join(home.postgres, 'data'), port, superuserPassword: secrets.superuserPassword };
}

/** Connection URLs for the program and its migrations. */
export function databaseAddresses(secrets: Secrets, port: number): DatabaseAddresses {
  return {
    url: connectionUrl({ user: APP, password: secrets.appPassword, port, database: DATABASE }),
    adminUrl: connectionUrl({ user: OWNER, password: secrets.ownerPassword, port, database: DATABASE }),
  };
}

/** Creates the two roles and the database if they are missing, and sets the passwords of this home. */
export async function prepareDatabase(cluster: Cluster, secrets: Secrets): Promise<void> {
  await asSuperuser(cluster, 'postgres', async (client) => {
    const roles = [
      // It creates the database in which restoring a backup is rehearsed.
      { name: OWNER, password: secrets.ownerPassword, rights: 'createdb' },
      { name: APP, password: secrets.appPassword, rights: 'nocreatedb' },
    ];
    for (const role of roles) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role.name]);
      const verb = rowCount === 0 ? 'create' : 'alter';
      await client.query(
        `${verb} role ${escapeIdentifier(role.name)} login nosuperuser ${role.rights} nocreaterole nobypassrls password ${escapeLiteral(role.password)}`,
      );
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE} owner ${OWNER}`);
  });
}
