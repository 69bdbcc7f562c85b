// A PostgreSQL in the data folder, for those who have none. The other files are a library that knows no AppError.
import { MissingInstallationError } from "../../database/migrate.ts";
import type { OwnDatabase } from "../../database/own-database.ts";
import { AppError } from "../../domain/error.ts";
import type { Feature } from "../feature.ts";
import { checkDataFolder } from "./data-folder.ts";
import { EmbeddedPostgresError, MissingClusterError } from "./error.ts";

const ownDatabase: OwnDatabase = {
  checkFolder: (dataDir) => withAppErrors(checkDataFolder(dataDir)),
  async openServer(options) {
    const { openEmbeddedServer } = await import("./server.ts");
    const server = await withAppErrors(openEmbeddedServer(options));
    return { connection: server.connection, close: () => withAppErrors(server.close()) };
  },
};

export const embeddedPostgres: Feature = {
  name: "embedded-postgres",
  loadDatabase: async () => ownDatabase,
};

async function withAppErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    const { message } = error;
    if (error instanceof MissingClusterError)
      throw new MissingInstallationError(message, { cause: error });
    throw new AppError(error.code, message, { cause: error });
  }
}
