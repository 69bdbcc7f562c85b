// Teams: the webhook of a workflow, which takes an adaptive card. Facts and their sources: docs/channels.md.
import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { type ChatService, explainCode } from "../chat-service.ts";
import { composeTeamsMessage } from "./teams-message.ts";

const answerSchema = z.object({
  error: z.object({ code: z.string().max(200), message: z.string().max(2_000).optional() }),
});

const unreachableCodes: Readonly<Record<string, string>> = {
  WorkflowNotFound: "the workflow was deleted",
  WorkflowDisabled: "the workflow is turned off",
  WorkflowTriggerIsNotEnabled: "the workflow is turned off",
  TriggerDisabled: "the workflow is turned off",
  DirectApiAuthorizationRequired: "the URL lacks its signature: copy the whole URL of the workflow",
  InvalidSignature: "the URL's signature is not valid any more",
};

export const teams: ChatService = {
  name: "Teams",
  hosts: [".logic.azure.com", ".api.powerplatform.com", ".webhook.office.com"],
  textMax: 4_000,
  intervalMs: () => 1_000,
  requestUrl: ({ secret }) => secret,
  composeRequest: composeTeamsMessage,
  readFailure({ text }) {
    const code = answerSchema.safeParse(parseJson(text)).data?.error.code;
    return { unreachable: explainCode("Teams", unreachableCodes, code), detail: code };
  },
};
