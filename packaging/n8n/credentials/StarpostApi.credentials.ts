import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

export class StarpostApi implements ICredentialType {
  name = "starpostApi";

  displayName = "Starpost API";

  icon = { light: "file:starpost.svg", dark: "file:starpost.dark.svg" } as const;

  documentationUrl = "https://github.com/starpost/starpost/blob/main/docs/api.md";

  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      placeholder: "https://starpost.example.com",
      description: "The address of your Starpost",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description: "The trigger needs a key with the scope manage, to create its channel",
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/(\\/api\\/v1)?\\/*$/, "")}}',
      url: "/api/v1/apps",
    },
  };
}
