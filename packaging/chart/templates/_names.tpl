{{- define "quern.name" -}}
{{- if contains "quern" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-quern" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "quern.chosen" -}}
app.kubernetes.io/name: quern
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quern.labels" -}}
{{ include "quern.chosen" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
