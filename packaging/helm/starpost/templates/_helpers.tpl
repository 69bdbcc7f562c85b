{{- define "starpost.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "starpost.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "starpost.labels" -}}
{{ include "starpost.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "starpost.secret" -}}
{{ .Values.existingSecret | default (include "starpost.name" .) }}
{{- end }}

{{- /* Refuses values that can't work, before anything is installed. */ -}}
{{- define "starpost.check" -}}
{{- if not (or .Values.existingSecret .Values.secrets.DATABASE_URL) }}
{{- fail "set secrets.DATABASE_URL, or existingSecret to a Secret that has it: the image has no PostgreSQL" }}
{{- end }}
{{- if and (not .Values.persistence.enabled) (not .Values.existingSecret) (not .Values.secrets.ENCRYPTION_KEY) }}
{{- fail "set secrets.ENCRYPTION_KEY: without a volume the generated key is lost with the pod" }}
{{- end }}
{{- range $name := list "PORT" "DATA_DIR" }}
{{- if or (hasKey $.Values.settings $name) (hasKey $.Values.secrets $name) }}
{{- fail (printf "%s has no effect: the chart sets it, because the probes and the volume rely on it" $name) }}
{{- end }}
{{- end }}
{{- if and (gt (int .Values.replicas) 1) .Values.persistence.enabled }}
{{- fail "more than one replica needs persistence.enabled=false and an ENCRYPTION_KEY" }}
{{- end }}
{{- end }}
