{{- define "tapeline.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tapeline.selector" -}}
app.kubernetes.io/name: tapeline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "tapeline.labels" -}}
{{ include "tapeline.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "tapeline.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The pod of a component, from its service account to its volumes. Takes root, component, secrets and homeSizeLimit. */}}
{{- define "tapeline.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: home
    emptyDir: { sizeLimit: {{ .homeSizeLimit }} }
  - name: tmp
    emptyDir: { sizeLimit: 1Gi }
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $setting, $secret := .secrets }}
        - secret:
            name: {{ $secret.name }}
            items: [{ key: {{ $secret.key | quote }}, path: {{ $setting }} }]
        {{- end }}
  {{- with .root.Values.certificatesSecret }}
  - name: certificates
    secret: { secretName: {{ . }}, defaultMode: 0440 }
  {{- end }}
{{- end -}}

{{/* What all our containers have in common. Takes root and secrets. */}}
{{- define "tapeline.container" -}}
image: {{ include "tapeline.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
workingDir: /app
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: TAPELINE_HOME, value: /var/lib/tapeline }
  {{- range $setting, $value := .root.Values.settings }}
  {{- if $value }}
  - { name: {{ $setting }}, value: {{ $value | quote }} }
  {{- end }}
  {{- end }}
  {{- range $setting, $secret := .secrets }}
  - { name: {{ $setting }}_FILE, value: /run/tapeline/{{ $setting }} }
  {{- end }}
  {{- with .more }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - { name: home, mountPath: /var/lib/tapeline }
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/tapeline, readOnly: true }
  {{- if .root.Values.certificatesSecret }}
  - { name: certificates, mountPath: /run/certificates, readOnly: true }
  {{- end }}
{{- end -}}

{{/* Spreads the pods of a component over the nodes. */}}
{{- define "tapeline.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "tapeline.selector" . | nindent 8 }}
{{- with .placed.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .placed.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
