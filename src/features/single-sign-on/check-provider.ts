// Asks the provider for its documents, and whether it knows the client.
import type { ListOutsideChecks } from "../../app/outside-checks.ts";
import { discoverProvider, findClientFault } from "./open-id.ts";
import { readProviderSettings } from "./settings.ts";

export const listProviderChecks: ListOutsideChecks = ({ config, http }) => {
  if (config.oidcIssuer === null) return [];
  const run = async (): Promise<string> => {
    const settings = readProviderSettings(config);
    if (settings === null) return "off";
    const provider = await discoverProvider(http, settings);
    const fault = await findClientFault(provider, settings);
    if (fault !== null) throw new Error(fault);
    return `${provider.serverMetadata().issuer} was found; it must know ${settings.redirectUrl}`;
  };
  return [{ name: "single sign-on", run }];
};
