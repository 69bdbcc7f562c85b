// The last net: an error while a page is drawn takes the place of that page, not of the whole window.
import { Component, type ReactNode } from "react";
import { Page } from "./card.tsx";
import { ErrorAlert } from "./feedback.tsx";

export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Page title="Something went wrong">
        <ErrorAlert error={this.state.error} onRetry={() => this.setState({ error: null })} />
      </Page>
    );
  }
}
